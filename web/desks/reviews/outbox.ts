/** Sends the verdicts that the device has stored. */
import './shared/judging.ts'

/** Sends the verdicts that the device has kept. */
import './shared/judging.ts'

import './frame.spec.ts'

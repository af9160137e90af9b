import './desk.spec.ts'

import './sessions.spec.ts'

import './rights.spec.ts'

import './parts.spec.ts'

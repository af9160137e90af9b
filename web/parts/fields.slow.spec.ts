import './fields.spec.ts'

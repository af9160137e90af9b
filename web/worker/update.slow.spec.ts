import './update.spec.ts'

import './past.spec.ts'

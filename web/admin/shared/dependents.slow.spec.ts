import './dependents.spec.ts'

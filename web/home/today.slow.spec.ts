import './today.spec.ts'

import './groups.spec.ts'

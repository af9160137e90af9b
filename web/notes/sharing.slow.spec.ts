import './sharing.spec.ts'

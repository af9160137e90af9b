import './addresses.spec.ts'

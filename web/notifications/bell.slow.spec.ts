import './bell.spec.ts'

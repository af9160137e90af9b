import './overtaken.spec.ts'

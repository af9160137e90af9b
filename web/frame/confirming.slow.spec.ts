import './confirming.spec.ts'

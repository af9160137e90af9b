import './required.spec.ts'

import './choosing.spec.ts'

import './connecting.spec.ts'

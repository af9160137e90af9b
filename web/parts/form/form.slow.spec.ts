import './form.spec.ts'

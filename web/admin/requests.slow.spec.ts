import './requests.spec.ts'

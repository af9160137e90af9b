import './sign-in.spec.ts'

import './access-model.test.ts'

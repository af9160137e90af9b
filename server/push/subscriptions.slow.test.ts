import './subscriptions.test.ts'

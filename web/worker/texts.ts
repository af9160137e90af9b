const ar = {
  signedOut: 'انتهت جلستك على هذا الجهاز',
  signedOutHint: 'سجّل الدخول لتعود الإشعارات إليه.',
}

const en: typeof ar = {
  signedOut: 'You’ve been signed out on this device',
  signedOutHint: 'Sign in to get notifications here again.',
}

/** The worker's own texts. Those of a notification come with its push. */
export const both = { ar, en }

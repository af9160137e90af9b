const ar = {
  signedOut: 'انتهت جلستك على هذا الجهاز',
  signedOutHint: 'سجّل الدخول لتعود الإشعارات إليه.',
}

const en: typeof ar = {
  signedOut: 'You’ve been signed out on this device',
  signedOutHint: 'Sign in to get notifications here again.',
}

/** The words of the worker itself; those of a notification come with the push. */
export const both = { ar, en }

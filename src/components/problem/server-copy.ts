import { apiFailureMessage, type ApiFailure } from '#src/api/errors.ts'
import type { ServerCode } from './server-codes.ts'

/**
 * One problem in words. `action` is the label of the button that helps; null when there is none.
 */
export interface ServerProblemCopy {
  readonly title: string
  readonly body: string | null
  readonly action: string | null
}

const TRY_AGAIN = 'Try again'
const UNCHANGED = 'Your subscription has not changed.'
const OURS = {
  body: 'Try again in a moment. If this keeps happening, please contact support.',
  action: TRY_AGAIN,
}
const SENT_AGAIN = { body: 'The part is sent again automatically.', action: null }
/** What helps on a network with a captive portal. */
export const PORTAL_ADVICE = 'Sign in to the network in another tab. Onecut then goes on by itself.'
const GONE = { body: 'It may have been removed in the meantime.', action: null }
const RELOAD = { body: 'Please reload this page and try again.', action: TRY_AGAIN }
const CHOOSE_ANOTHER = 'Choose another file'

/**
 * What is safe and what to do, for each code. The sentence before it on the screen is the server's
 * own.
 */
const ADVICE: Readonly<
  Record<ServerCode, { readonly body: string | null; readonly action: string | null }>
> = {
  'request/invalid': { body: 'Please check what you entered.', action: null },
  'request/malformed-json': RELOAD,
  'request/unsupported-media-type': RELOAD,
  'request/too-slow': { body: 'The connection was too slow for this.', action: TRY_AGAIN },
  'request/too-large': { body: 'Please shorten what you entered.', action: null },
  'request/not-found': RELOAD,
  'request/method-not-allowed': RELOAD,
  'request/wrong-host': { body: null, action: 'Open this site by its own address.' },
  'request/idempotency-conflict': RELOAD,
  'request/in-progress': {
    body: 'Your first request is still being processed.',
    action: TRY_AGAIN,
  },
  'request/too-many': { body: 'Please wait a little before you try again.', action: TRY_AGAIN },
  'request/range-not-satisfiable': { body: 'Please start the download again.', action: TRY_AGAIN },
  'system/not-built': { body: 'This server does not offer this feature.', action: null },
  'system/unexpected': OURS,
  'system/unavailable': {
    body: 'The server is starting, stopping or busy. Try again in a moment.',
    action: TRY_AGAIN,
  },
  'auth/signed-out': {
    body: 'Log in again. Your unfinished uploads are kept.',
    action: 'Log in',
  },
  'auth/other-user': {
    body: 'Log in with the account that you used here. Its unfinished uploads are kept.',
    action: 'Log in',
  },
  'auth/xsrf': RELOAD,
  'auth/permission-missing': { body: 'You need an active subscription for this.', action: null },
  'auth/redirect-not-allowed': RELOAD,
  'auth/link-invalid': { body: 'Request a new link.', action: null },
  'auth/code-wrong': { body: 'Please check the six digits.', action: null },
  'auth/code-invalid': { body: 'Request a new code.', action: null },
  'auth/session-not-found': { body: null, action: null },
  'auth/account-locked': { body: null, action: null },
  'auth/passkey-refused': { body: 'Try again, or log in by email.', action: null },
  'edit-sets/not-found': { body: null, action: null },
  'edit-sets/too-many': { body: 'Delete a set that you do not use any more.', action: null },
  'passkeys/not-found': { body: null, action: null },
  'passkeys/too-many': { body: 'Remove one that you do not use any more.', action: null },
  'push/not-allowed': { body: 'You are told by mail as before.', action: null },
  'human/not-verified': { body: 'Please complete the verification again.', action: TRY_AGAIN },
  'human/other-provider': RELOAD,
  'users/not-found': RELOAD,
  'presets/not-offered': {
    body: 'Please choose other edits; the rest of your choice is kept.',
    action: 'Change Requested Edits',
  },
  'presets/needs-sound': {
    body: 'Please choose other edits for this video.',
    action: 'Change Requested Edits',
  },
  'presets/unfit-options': {
    body: 'The rest of your choice is kept.',
    action: 'Change Requested Edits',
  },
  'presets/doubled': { body: 'Please choose each edit once.', action: 'Change Requested Edits' },
  'uploads/not-found': GONE,
  'uploads/too-large': { body: 'Please choose a smaller file.', action: CHOOSE_ANOTHER },
  'uploads/excerpt-refused': {
    body: 'Your edits are made when the whole video has arrived.',
    action: null,
  },
  'uploads/too-many-open': { body: 'Finish or discard an unfinished upload first.', action: null },
  'uploads/account-full': {
    body: 'Delete files under Storage on your account page, or discard an unfinished upload.',
    action: null,
  },
  'uploads/no-space': {
    body: 'The server has no space left. What you have uploaded is kept.',
    action: TRY_AGAIN,
  },
  'uploads/provider-not-offered': {
    body: 'Please choose the file from this device.',
    action: CHOOSE_ANOTHER,
  },
  'uploads/host-not-allowed': {
    body: 'Please choose the file from this device.',
    action: CHOOSE_ANOTHER,
  },
  'uploads/link-refused': { body: null, action: null },
  'uploads/link-expired': { body: 'Share it again and paste the new link.', action: null },
  'uploads/link-away': { body: null, action: TRY_AGAIN },
  'uploads/parts-missing': SENT_AGAIN,
  // The server's sentence says that the video has to be uploaded again.
  'uploads/aborted': { body: null, action: CHOOSE_ANOTHER },
  'uploads/not-open': { body: 'The server has all of this video.', action: null },
  'uploads/in-use': { body: 'Edits were requested for this video, so it is kept.', action: null },
  'uploads/no-such-sound': {
    body: 'Please choose one of the sounds that are listed.',
    action: null,
  },
  'uploads/not-complete': { body: 'The upload has to finish first.', action: TRY_AGAIN },
  'uploads/failed': { body: 'Please upload another file.', action: CHOOSE_ANOTHER },
  'uploads/held': {
    body: 'This video is being reviewed. Nothing of it is lost; contact us if you have questions.',
    action: null,
  },
  'uploads/other-purpose': { body: 'Please upload the video again.', action: CHOOSE_ANOTHER },
  'parts/signature-invalid': SENT_AGAIN,
  BadDigest: SENT_AGAIN,
  'parts/wrong-size': SENT_AGAIN,
  'parts/length-required': SENT_AGAIN,
  'parts/offset-differs': SENT_AGAIN,
  'parts/busy': SENT_AGAIN,
  NoSuchUpload: { body: 'Please upload the video again.', action: CHOOSE_ANOTHER },
  'parts/idle': SENT_AGAIN,
  'parts/not-stored': SENT_AGAIN,
  'parts/superseded': SENT_AGAIN,
  'media-jobs/not-found': GONE,
  'media-jobs/already-paid': {
    body: 'The edits of a paid order cannot be changed. To order other edits, upload the video again.',
    action: null,
  },
  'media-jobs/thumbnail-not-found': { body: null, action: null },
  'media-job-tasks/not-found': GONE,
  'media-job-tasks/not-failed': { body: 'Only failed edits can be tried again.', action: null },
  'media-job-tasks/already-retried': {
    body: 'Each edit can be tried again only once.',
    action: null,
  },
  'media-job-tasks/not-delivered': { body: null, action: null },
  'media-job-tasks/redo-late': { body: null, action: null },
  'media-job-tasks/redo-used': { body: null, action: null },
  'samples/not-found': GONE,
  'face-reviews/not-found': GONE,
  'face-reviews/file-not-found': { body: null, action: null },
  'face-reviews/searching': {
    body: 'The server is still searching for faces. The review can begin when it has finished.',
    action: null,
  },
  'face-reviews/changed': {
    body: 'This review was changed on another device or in another tab.',
    action: null,
  },
  'face-reviews/finished': {
    body: 'The review of this edit has ended, so it cannot be changed any more.',
    action: null,
  },
  'outputs/not-found': GONE,
  'orders/not-found': GONE,
  'orders/metadata-pending': {
    body: 'The price depends on the length of the video, which is still being measured.',
    action: TRY_AGAIN,
  },
  'orders/attestation-missing': {
    body: 'Please confirm that everyone shown agreed: change the requested edits and submit them again.',
    action: 'Change Requested Edits',
  },
  'orders/already-paid': { body: 'Nothing was charged again.', action: null },
  'orders/not-paid': {
    body: 'A receipt is available when tokens have paid the order.',
    action: null,
  },
  'orders/canceled': { body: 'Nothing was charged.', action: null },
  'orders/work-started': { body: 'Edits that fail are refunded automatically.', action: null },
  'orders/changed': {
    body: 'Nothing was charged. Please check the new amount.',
    action: TRY_AGAIN,
  },
  'orders/amount-too-high': {
    body: 'The order has changed. Nothing was charged. Please check the new amount.',
    action: TRY_AGAIN,
  },
  'payments/insufficient-tokens': { body: 'Nothing was charged.', action: 'Refresh Tokens' },
  'payments/off': { body: 'Edits are free on this server. Nothing was charged.', action: null },
  'payments/amount-out-of-range': { body: 'Nothing was charged.', action: null },
  'payments/session-not-found': GONE,
  'payments/not-found': GONE,
  'payments/not-withdrawable': { body: 'Your tokens stay as they are.', action: null },
  'payments/disputed': { body: 'Tokens that you have can be used.', action: null },
  'payments/no-portal': { body: null, action: null },
  'payments/provider-away': { body: 'Please try again in a moment.', action: TRY_AGAIN },
  'payments/signature-invalid': { body: null, action: null },
  'wallets/not-found': { body: 'Nothing was charged.', action: 'Refresh Tokens' },
  'media-assets/not-found': {
    body: 'Please choose another file for it.',
    action: 'Change Requested Edits',
  },
  'media-assets/wrong-kind': {
    body: 'Please choose another intro or outro.',
    action: 'Change Requested Edits',
  },
  'media-assets/file-not-found': { body: null, action: null },
  'media-assets/in-use': {
    body: 'Delete it when these edits are finished.',
    action: null,
  },
  'media-assets/too-long': { body: null, action: 'Change Requested Edits' },
  'media-assets/too-many': { body: null, action: null },
  'media-assets/account-full': { body: null, action: null },
  'music-tracks/not-found': {
    body: 'Please choose another track.',
    action: 'Change Requested Edits',
  },
  'subscriptions/not-found': GONE,
  'subscriptions/not-cancelable': { body: UNCHANGED, action: null },
  'subscriptions/already-active': { body: 'Nothing was charged.', action: null },
  'subscriptions/not-resumable': { body: UNCHANGED, action: null },
  'subscriptions/plan-not-offered': { body: null, action: null },
  'referrals/not-found': { body: 'Please check the code.', action: null },
  'referrals/own-code': { body: 'Please use a code from another person.', action: null },
  'referrals/not-new': { body: null, action: null },
  'referrals/already-redeemed': { body: null, action: null },
  'referrals/code-taken': { body: 'Please choose another code.', action: null },
  'referrals/code-not-allowed': { body: 'Please choose another code.', action: null },
  'referrals/age-not-confirmed': { body: null, action: null },
  'referrals/limit-reached': { body: null, action: null },
  'external-auths/away': { body: null, action: TRY_AGAIN },
  'external-auths/not-found': { body: null, action: null },
  'external-auths/permission-missing': {
    body: 'Please connect the drive again and allow downloads.',
    action: null,
  },
  'external-auths/refresh-expired': { body: 'Please connect the drive again.', action: null },
  'external-auths/save-permission-missing': {
    body: 'Please connect the drive again and allow the server to save files there.',
    action: null,
  },
}

/** The codes that have words, for the test that compares them with the contract. */
export const serverCodes = Object.keys(ADVICE)

/**
 * A failed call in words: the server's sentence, or the one of the specification where the server
 * gave none (APP-16), with what is safe and what helps.
 */
export function serverProblemCopy(failure: ApiFailure): ServerProblemCopy {
  const title = apiFailureMessage(failure)
  switch (failure.code) {
    case 'api/http': {
      const { serverCode, status } = failure
      return {
        title,
        ...(isServerCode(serverCode)
          ? ADVICE[serverCode]
          : { body: null, action: status >= 500 ? TRY_AGAIN : null }),
      }
    }
    case 'api/foreign':
      return {
        title,
        body: failure.looksLikePortal
          ? PORTAL_ADVICE
          : 'The server cannot be reached right now. It is safe to try again.',
        action: TRY_AGAIN,
      }
    case 'api/offline':
      return { title, body: null, action: TRY_AGAIN }
    case 'api/no-response':
    case 'api/timeout':
      return {
        title,
        body: 'Please check your connection. It is safe to try again.',
        action: TRY_AGAIN,
      }
    case 'api/aborted':
    case 'api/unexpected':
      return { title, body: null, action: TRY_AGAIN }
  }
}

/**
 * The advice for a code, where only the code and the server's sentence were saved; null for unknown
 * codes.
 */
export function adviceOfCode(code: string): string | null {
  return isServerCode(code) ? ADVICE[code].body : null
}

function isServerCode(code: string): code is ServerCode {
  return Object.hasOwn(ADVICE, code)
}

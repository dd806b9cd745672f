import { codeOf, type ApiFailure } from '#src/api/errors.ts'
import type { HelpSlug } from '#src/config/help-pages.ts'
import type { UploadState } from '#src/local/db/rows.ts'
import type { ServerCode } from './server-codes.ts'

/** The server's codes whose problem a help page explains; others need no more than their words. */
const OF_CODE: Readonly<Partial<Record<ServerCode, HelpSlug>>> = {
  'auth/permission-missing': 'subscription',
  'auth/link-invalid': 'signing-in',
  'auth/code-wrong': 'signing-in',
  'auth/code-invalid': 'signing-in',
  'auth/passkey-refused': 'signing-in',
  'auth/other-user': 'signing-in',
  'passkeys/too-many': 'signing-in',
  'edit-sets/too-many': 'sets-of-edits',
  'presets/not-offered': 'choosing-edits',
  'presets/needs-sound': 'sound-edits',
  'presets/unfit-options': 'choosing-edits',
  'uploads/account-full': 'downloads',
  'uploads/no-space': 'uploads-slow-lines',
  'uploads/too-large': 'uploads-slow-lines',
  'uploads/too-many-open': 'another-device',
  'external-auths/away': 'drive',
  'external-auths/not-found': 'drive',
  'external-auths/permission-missing': 'drive',
  'external-auths/refresh-expired': 'drive',
  'external-auths/save-permission-missing': 'drive',
  'uploads/link-refused': 'links',
  'uploads/link-expired': 'links',
  'uploads/link-away': 'links',
  'uploads/host-not-allowed': 'links',
  'uploads/aborted': 'closing-the-page',
  'media-jobs/already-paid': 'choosing-edits',
  'orders/metadata-pending': 'prices-and-tokens',
  'orders/work-started': 'refunds',
  'orders/already-paid': 'paying',
  'payments/insufficient-tokens': 'prices-and-tokens',
  'payments/amount-out-of-range': 'prices-and-tokens',
  'payments/provider-away': 'paying',
  'payments/not-withdrawable': 'refunds',
  'payments/disputed': 'refunds',
  'subscriptions/not-cancelable': 'subscription',
  'subscriptions/already-active': 'subscription',
  'subscriptions/not-resumable': 'subscription',
  'media-job-tasks/already-retried': 'refunds',
  'media-job-tasks/not-delivered': 'making-an-edit-again',
  'media-job-tasks/redo-late': 'making-an-edit-again',
  'media-job-tasks/redo-used': 'making-an-edit-again',
}

/** The page about a problem, by the server's code; null where there is none. */
export function helpOfCode(code: string): HelpSlug | null {
  return (OF_CODE as Readonly<Record<string, HelpSlug | undefined>>)[code] ?? null
}

/** The same for a call that failed. */
export function helpOfFailure(failure: ApiFailure): HelpSlug | null {
  return helpOfCode(codeOf(failure))
}

const OF_UPLOAD: Readonly<Partial<Record<UploadState['kind'], HelpSlug>>> = {
  waiting: 'uploads-slow-lines',
  'needs-permission': 'closing-the-page',
  'needs-file': 'closing-the-page',
  conflict: 'another-device',
  expired: 'closing-the-page',
  failed: 'reporting',
}

/** The page about what keeps an upload; null where its own words are enough. */
export function helpOfUpload({ kind }: UploadState): HelpSlug | null {
  return OF_UPLOAD[kind] ?? null
}

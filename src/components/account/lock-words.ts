import type { LockFailure, LockSupport } from '#src/hooks/account/lock-passkey.ts'

/** Why the app lock did not open, or was not changed. */
export function lockFailureWords({ code }: LockFailure): string {
  switch (code) {
    case 'device/stopped':
      return 'The passkey did not answer, so nothing has changed. Try again when you are ready.'
    case 'device/no-prf':
      return 'The passkeys of this device hold no key that an app could lock with.'
    case 'device/failed':
      return 'This device could not use its passkey, so nothing has changed.'
    case 'lock/other-answer':
      return 'This is not the passkey that the app was locked with, so it stays locked.'
    case 'lock/unfinished':
      return 'This device could not finish encrypting what it has. Free some space, then unlock again.'
    case 'lock/open-uploads':
      return 'An upload is not finished. Finish or discard it first: its file cannot be kept encrypted.'
  }
}

/** What this browser lacks for the app lock. */
export function lockLackWords(lack: Exclude<LockSupport, 'here'>): string {
  switch (lack) {
    case 'needs-name':
      return 'Locking needs a passkey, and browsers allow passkeys only at an address with a name.'
    case 'no-passkeys':
      return 'Locking needs a passkey of this device, and this browser offers none: set up a screen lock, or use another browser.'
    case 'no-prf':
      return 'Locking needs a passkey that holds a key (PRF), and this browser has none of these.'
    case 'no-files':
      return 'Locking needs a service worker and files of the browser, which this browser does not give to this page.'
  }
}

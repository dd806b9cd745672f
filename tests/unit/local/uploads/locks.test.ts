import { createFakeLocks } from '#tests/fakes/upload-locks.ts'
import { describeLocks } from '#tests/suites/locks.ts'
import { createWebLocks } from '#src/local/uploads/adapters/web-locks.ts'

describeLocks('fake', () => {
  const origin = createFakeLocks()
  return { locks: origin.of({}), otherContext: origin.of({}) }
})

describeLocks('Web Locks', () => ({
  locks: createWebLocks(navigator.locks),
  otherContext: createWebLocks(navigator.locks),
}))

import { onTestFinished } from 'vitest'
import { env } from '#src/config/env.ts'

/** Opens pages, for the rest of this test, as a build without payments does. */
export function withoutPayments(): void {
  const flags = env as { paymentsEnabled: boolean }
  flags.paymentsEnabled = false
  onTestFinished(() => {
    flags.paymentsEnabled = true
  })
}

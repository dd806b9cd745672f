import { useCapabilities } from '#src/hooks/server/use-capabilities.ts'
import { env } from '#src/config/env.ts'

/**
 * Whether anything is sold here: by the build's flag (APP-21) and by this server. True while the
 * server has not said so; it refuses what it does not sell.
 */
export function useSellsTokens(): boolean {
  const capabilities = useCapabilities().data
  return env.paymentsEnabled && capabilities?.payments.isEnabled !== false
}

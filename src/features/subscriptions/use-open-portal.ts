import type { UseMutationResult } from '@tanstack/react-query'
import { useCall } from '#src/hooks/server/use-call.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { openPortal } from '#src/local/calls/open-portal.ts'
import type { Result } from '#src/lib/result.ts'

/** Asks where the card is changed. Resolves with a `Result` of the address. */
export function useOpenPortal(): UseMutationResult<Result<string, ApiFailure>, Error, void> {
  return useCall((context) => openPortal(context))
}

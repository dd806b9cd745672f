import type { UseMutationResult } from '@tanstack/react-query'
import { useCall } from '#src/hooks/server/use-call.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { disconnectDrive } from '#src/local/calls/disconnect-drive.ts'
import type { Result } from '#src/lib/result.ts'

/** Disconnects a drive by its id. Resolves with a `Result`. */
export function useDisconnectDrive(): UseMutationResult<Result<null, ApiFailure>, Error, string> {
  return useCall(disconnectDrive)
}

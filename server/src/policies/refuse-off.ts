import { Problem } from '#server/problems.ts'

/** Refuses where nothing is sold, with `payments/off`. */
export function refuseOff({
  settings,
}: {
  readonly settings: { readonly takesPayments: boolean }
}): void {
  if (!settings.takesPayments)
    throw new Problem('payments/off', 'Edits cost nothing on this server.')
}

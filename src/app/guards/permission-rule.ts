import { paths } from '#src/config/paths.ts'
import { hasPermission, PERMISSIONS } from '#src/config/permissions.ts'
import type { Permission } from '#src/config/permissions.ts'

/**
 * Routes that need permissions, all that the specification names. Every other private route needs a
 * signed-in user only.
 */
const NEEDED: Readonly<Record<string, readonly Permission[]>> = {
  [paths.mediaAssets]: [PERMISSIONS.createMediaAssets, PERMISSIONS.readMediaAssets],
  [paths.createMediaAsset]: [PERMISSIONS.createMediaAssets, PERMISSIONS.readMediaAssets],
}

/**
 * True when a user with these permissions may open the path. Display only; the server decides
 * about the data.
 */
export function mayOpen(path: string, held: readonly string[]): boolean {
  return (NEEDED[path] ?? []).every((permission) => hasPermission(held, permission))
}

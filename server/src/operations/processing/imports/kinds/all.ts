import type { Ctx, UserCtx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { Problem } from '#server/problems.ts'
import type { ImportProvider } from '#server/operations/media/uploads/provider.ts'
import type { AskedImports, ImportKind } from './kind.ts'
import { driveImports } from './drive.ts'
import { dropboxImports } from './dropbox.ts'
import { linkImports } from './link.ts'

type Kinds = { readonly [Provider in ImportProvider]?: ImportKind<AskedImports[Provider]> }

const kinds: Kinds = {
  link: linkImports,
  'dropbox-chooser-single-file': dropboxImports,
  'google-drive-picker-single-file': driveImports,
}

/** What this server can import. */
export function offeredImports(ctx: Pick<Ctx, 'outgoing' | 'settings'>): ImportProvider[] {
  return (Object.keys(kinds) as ImportProvider[]).filter(
    (provider) => kinds[provider]?.isOffered(ctx) === true,
  )
}

/**
 * The place of a file that a person chose. Refuses as its kind, and with
 * `uploads/provider-not-offered`.
 */
export function placeOfAsked<Provider extends ImportProvider>(
  ctx: UserCtx,
  provider: Provider,
  asked: AskedImports[Provider],
): string {
  const kind: Kinds[Provider] = kinds[provider]
  if (kind?.isOffered(ctx) !== true)
    throw new Problem(
      'uploads/provider-not-offered',
      'Invalid upload provider. This server cannot fetch files from there. Please upload the file from this device.',
    )
  return kind.placeOf(ctx, asked)
}

/** How the file of an import is looked at and fetched. Throws for an upload that is none. */
export function kindOf({
  provider,
}: Pick<UploadRow, 'provider'>): Omit<ImportKind<never>, 'placeOf'> {
  const kind = provider in kinds ? kinds[provider as ImportProvider] : undefined
  if (kind === undefined) throw new Error(`Nothing imports by ${provider}`)
  return kind
}

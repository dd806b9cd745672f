import { requirePermission } from '#server/policies/require-permission.ts'
import type { AskedImports, ImportKind } from './kind.ts'
import { linkImports } from './link.ts'

/**
 * Files that a person chose in Dropbox's own window, which gives a link that lives for four hours.
 * A place is this link. Name and size are those that the link's host says.
 */
export const dropboxImports: ImportKind<AskedImports['dropbox-chooser-single-file']> = {
  ...linkImports,
  isOffered: ({ settings }) => settings.dropboxAppKey !== null,
  placeOf: (ctx, { provider: _provider, directLink }) => {
    requirePermission(ctx.user, 'create:uploadRequestDropboxChooser')
    return linkImports.placeOf(ctx, { provider: 'link', link: directLink })
  },
  look: async (ctx, question) => ({
    ...(await linkImports.look(ctx, question)),
    // The host's own name would tell people nothing.
    host: 'Dropbox',
  }),
  advice: 'Please choose the file again, or upload it from a device.',
}

import { NotConfigured } from '#src/components/NotConfigured.tsx'

/** In the place of a way to Google Drive on a server that has no keys of Google. */
export function NoDrive({ label }: { readonly label: string }) {
  return (
    <NotConfigured label={label} help="drive">
      Google Drive needs keys from Google, which this server does not have. You can upload the video
      from this device, or paste a link to it.
    </NotConfigured>
  )
}

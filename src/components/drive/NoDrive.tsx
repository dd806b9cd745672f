import { NotConfigured } from '#src/components/help/NotConfigured.tsx'

/** In the place of a way to Google Drive on a server that has no keys of Google. */
export function NoDrive({ label }: { readonly label: string }) {
  return (
    <NotConfigured label={label} cloud="Google Drive" help="drive">
      You can upload the video from this device, or paste a link to it, and download finished edits.
      Only the operator of this server can offer Google Drive.
    </NotConfigured>
  )
}

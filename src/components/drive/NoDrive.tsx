import { NotConfigured, type NotConfiguredProps } from '#src/components/help/NotConfigured.tsx'

/** In the place of a way to Google Drive on a server that has no keys of Google. */
export function NoDrive({ label, instead }: Pick<NotConfiguredProps, 'label' | 'instead'>) {
  return (
    <NotConfigured
      label={label}
      cloud="Google Drive"
      help="drive"
      {...(instead === undefined ? {} : { instead })}
    >
      You can upload the video from this device, or paste a link to it, and download finished edits.
      Only the operator of this server can offer Google Drive.
    </NotConfigured>
  )
}

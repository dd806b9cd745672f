import { useNavigate } from 'react-router'
import { NoDrive } from '#src/components/drive/NoDrive.tsx'
import { DriveButton } from '#src/features/upload/imports/DriveButton.tsx'
import { paths } from '#src/config/paths.ts'
import { PERMISSIONS } from '#src/config/permissions.ts'
import { useCapabilities } from '#src/hooks/server/use-capabilities.ts'
import { usePermission } from '#src/hooks/account/use-session.ts'

/** The way to a video in Google Drive. Stays in its place, and explains itself, without keys. */
export function ChooseDrive() {
  const { data } = useCapabilities()
  const navigate = useNavigate()
  const mayChoose = usePermission(PERMISSIONS.createUploadRequestGoogleDrivePicker)
  if (data === null || !mayChoose) return null
  return data.uploads.providers.includes('google-drive-picker-single-file') ? (
    <DriveButton
      label="Google Drive"
      renews={null}
      onBegun={(id) => void navigate(paths.newMediaJob(id))}
      variant="secondary"
    />
  ) : (
    <NoDrive label="Google Drive" instead="Upload from this device." />
  )
}

import { googlePicker } from '#src/config/paths.ts'
import { ChoiceFrame } from '#src/components/frames/ChoiceFrame.tsx'
import { driveMessage } from './drive-message.ts'
import { useFrameChoice } from './use-frame-choice.ts'

export interface DrivePickerProps {
  readonly externalAuthId: string
  /** The import that goes on with the chosen file, or null for a new one. */
  readonly renews: string | null
  readonly onClose: () => void
  readonly onBegun: (uploadRequestId: string) => void
}

/** Google's own picker, and the import of what is chosen in it. */
export function DrivePicker({ externalAuthId, renews, onClose, onBegun }: DrivePickerProps) {
  const choice = useFrameChoice({ renews, onBegun })
  const hear = (data: unknown): void => {
    const said = driveMessage(data)
    if (said === null) return
    if (said === 'canceled') return onClose()
    if (typeof said === 'string') return choice.setStage(said)
    if ('refusal' in said) {
      choice.setStage('ready')
      return choice.refuse(said.refusal)
    }
    void choice.begin({
      provider: 'google-drive-picker-single-file',
      externalAuthId,
      googleDriveFileId: said.id,
    })
  }
  return (
    <ChoiceFrame
      choice={choice}
      cloud="Google Drive"
      address={googlePicker(externalAuthId)}
      className="h-[60dvh] w-full"
      advice="Check your connection, and whether a blocker of your browser keeps Google out."
      hear={hear}
    />
  )
}

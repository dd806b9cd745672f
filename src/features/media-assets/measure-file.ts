import type { refuseAsset } from '#checks/asset-limits.ts'
import type { AssetKind } from '#src/components/assets/asset-types.ts'

/** What a file measures, 0 where it is not known: then it exceeds no limit. */
export type MeasuredFile = Parameters<typeof refuseAsset>[0]

/** A file that the browser does not understand says nothing; then the server measures it. */
const TIME_LIMIT_MS = 5000

/**
 * The size of a picture or the length of a sound, as the browser reads it from the file's head;
 * 0 where it cannot. The probe of this device measures videos.
 */
export async function measureFile(file: File, kind: AssetKind): Promise<MeasuredFile> {
  const unknown: MeasuredFile = { kind, durationMs: 0, width: 0, height: 0 }
  if (kind === 'video') return unknown
  const address = URL.createObjectURL(file)
  try {
    if (kind === 'audio') {
      const sound = new Audio()
      sound.preload = 'metadata'
      await loaded(sound, 'loadedmetadata', address)
      const { duration } = sound
      sound.removeAttribute('src')
      return { ...unknown, durationMs: Number.isFinite(duration) ? duration * 1000 : 0 }
    }
    const picture = new Image()
    await loaded(picture, 'load', address)
    return { ...unknown, width: picture.naturalWidth, height: picture.naturalHeight }
  } catch {
    return unknown
  } finally {
    URL.revokeObjectURL(address)
  }
}

function loaded(
  element: HTMLAudioElement | HTMLImageElement,
  event: 'loadedmetadata' | 'load',
  address: string,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(TIME_LIMIT_MS)
    signal.addEventListener('abort', () => reject(signal.reason))
    element.addEventListener(event, () => resolve(), { once: true })
    element.addEventListener('error', () => reject(new Error('not readable')), { once: true })
    element.src = address
  })
}

import { forecastWords } from './forecast-words.ts'
import { useForecast } from '#src/hooks/edits/use-forecast.ts'
import type { MediaJob } from '#src/hooks/edits/use-library.ts'

/**
 * When the edits would be ready if they were paid now. Its place stays empty where the server does
 * not know it, so that the lines below do not move.
 */
export function ReadyLine({ job }: { readonly job: MediaJob | null }) {
  const forecast = useForecast(job?._id ?? '', job !== null)
  return (
    <p className="mt-3 min-h-5 text-sm text-ink-muted" aria-live="polite">
      {job === null
        ? null
        : forecastWords(forecast, { isVideoThere: job.isUploadRequestValidated })}
    </p>
  )
}

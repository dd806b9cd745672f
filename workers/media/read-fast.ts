import { ADTS, BlobSource, FLAC, Input, MATROSKA, MP3, MP4, MPEG_TS, OGG, QTFF, WAVE, WEBM, type InputVideoTrack } from 'mediabunny'
import type { AudioTrackReport, ProbeReport, VideoTrackReport } from '#src/local/probe/report.ts'

/** Faster than any camera; more comes from broken indexes. */
const MAX_RATE = 480
/** Packets looked at for the frame rate, metadata only. Without an index each one has to be read with the sound beside it. */
const RATE_PACKETS = { indexed: 96, other: 48 } as const
const INDEXED: ReadonlySet<string> = new Set(['MP4', 'QuickTime File Format'])

const CONTAINERS: Readonly<Record<string, string>> = { MP4: 'MP4', 'QuickTime File Format': 'MOV', Matroska: 'MKV', WebM: 'WebM', 'MPEG Transport Stream': 'MPEG-TS', Ogg: 'Ogg' }

/**
 * Opens a file for the fast reader. The caller disposes it, which also stops whatever reads. `isIndexed`: only an index will be read,
 * for which single slices are twice as quick as the streams that suit longer stretches.
 */
export function openInput(file: File, isIndexed = false): Input<BlobSource> {
  return new Input({ source: new BlobSource(file, { useStreamReader: !isIndexed }), formats: [MP4, QTFF, MATROSKA, WEBM, MPEG_TS, OGG, MP3, WAVE, FLAC, ADTS] })
}

/**
 * Reads a file with mediabunny: milliseconds, whatever the size. Null when its answer is not to be trusted (no tracks, unknown
 * codec, impossible numbers): then ffprobe has to look. Throws for what it cannot read, which says nothing about the file.
 */
export async function readFast(input: Input<BlobSource>, sizeBytes: number): Promise<Omit<ProbeReport, 'findings' | 'tookMs'> | null> {
  const [format, videos, audios] = [await input.getFormat(), await input.getVideoTracks(), await input.getAudioTracks()]
  if (videos.length + audios.length === 0) return null
  const videoTrack = await input.getPrimaryVideoTrack()
  const audioTrack = await input.getPrimaryAudioTrack()
  const video = videoTrack === null ? null : await videoReport(videoTrack, INDEXED.has(format.name) ? RATE_PACKETS.indexed : RATE_PACKETS.other)
  if (videoTrack !== null && video === null) return null
  const audioCodec = (await audioTrack?.getCodec()) ?? null
  const audio: AudioTrackReport | null = audioTrack === null ? null
    : { codec: audioCodec ?? 'unknown', channels: await audioTrack.getNumberOfChannels(), sampleRate: await audioTrack.getSampleRate() }
  const startSeconds = await input.getFirstTimestamp()
  // Durations of this library are end times.
  const endSeconds = (await input.getDurationFromMetadata()) ?? (await input.computeDuration(undefined, { metadataOnly: true }))
  if (!Number.isFinite(endSeconds) || endSeconds <= 0) return null
  return {
    engine: 'mediabunny', container: CONTAINERS[format.name] ?? format.name, mimeType: format.mimeType, sizeBytes,
    durationMs: Math.max(0, Math.round((endSeconds - Math.max(0, startSeconds)) * 1_000)),
    video, audio, videoTrackCount: videos.length, audioTrackCount: audios.length,
  }
}

async function videoReport(track: InputVideoTrack, ratePackets: number): Promise<VideoTrackReport | null> {
  const codec = await track.getCodec()
  const stats = await track.computePacketStats(ratePackets, { metadataOnly: true })
  const frameRate = stats.averagePacketRate
  if (codec === null || !Number.isFinite(frameRate) || frameRate <= 0 || frameRate > MAX_RATE) return null
  return {
    codec: codec === 'avc' ? 'h264' : codec, codecString: await track.getCodecParameterString(),
    codedWidth: await track.getCodedWidth(), codedHeight: await track.getCodedHeight(),
    displayWidth: await track.getDisplayWidth(), displayHeight: await track.getDisplayHeight(),
    rotation: await track.getRotation(), frameRate: Math.round(frameRate * 1_000) / 1_000,
    bitRate: await track.getBitrate(), isHdr: await track.hasHighDynamicRange(),
  }
}

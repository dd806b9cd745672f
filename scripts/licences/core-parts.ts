/** One of the programs and libraries inside of @ffmpeg/core. */
export interface CorePart {
  readonly name: string
  readonly version: string
  /** SPDX expression. */
  readonly licence: string
  /** Where its source is. */
  readonly source: string
}

/** The version that `CORE_PARTS` describes; another one has other parts. */
export const CORE_VERSION = '0.12.10'

/** The commit whose Dockerfile and scripts build the core. */
const BUILD_COMMIT = 'e0d4c62a229ba58ea0c6e6b881e289f2fefe97c4'

/**
 * What @ffmpeg/core 0.12.10 is made of, as the Dockerfile of its repository lists it. The file
 * itself names Lavc59.37.100, zlib 1.2.11, HarfBuzz 5.2.0 and Emscripten 3.1.40, which agrees.
 */
export const CORE_PARTS: readonly CorePart[] = [
  {
    name: 'ffmpeg.wasm: the build and the binding',
    version: BUILD_COMMIT.slice(0, 7),
    licence: 'MIT',
    source: `https://github.com/ffmpegwasm/ffmpeg.wasm/tree/${BUILD_COMMIT}`,
  },
  part('FFmpeg', 'n5.1.4', 'GPL-2.0-or-later', 'FFmpeg/FFmpeg'),
  part('x264', '4-cores', 'GPL-2.0-or-later', 'ffmpegwasm/x264'),
  part('x265', '3.4', 'GPL-2.0-or-later', 'ffmpegwasm/x265'),
  part('libvpx', 'v1.13.1', 'BSD-3-Clause', 'ffmpegwasm/libvpx'),
  part('LAME', 'master', 'LGPL-2.0-or-later', 'ffmpegwasm/lame'),
  part('libogg', 'v1.3.4', 'BSD-3-Clause', 'ffmpegwasm/Ogg'),
  part('libtheora', 'v1.1.1', 'BSD-3-Clause', 'ffmpegwasm/theora'),
  part('Opus', 'v1.3.1', 'BSD-3-Clause', 'ffmpegwasm/opus'),
  part('libvorbis', 'v1.3.3', 'BSD-3-Clause', 'ffmpegwasm/vorbis'),
  part('zlib', 'v1.2.11', 'Zlib', 'ffmpegwasm/zlib'),
  part('libwebp', 'v1.3.2', 'BSD-3-Clause', 'ffmpegwasm/libwebp'),
  part('FreeType', 'VER-2-10-4', 'FTL OR GPL-2.0-or-later', 'ffmpegwasm/freetype2'),
  part('FriBidi', 'v1.0.9', 'LGPL-2.1-or-later', 'fribidi/fribidi'),
  part('HarfBuzz', '5.2.0', 'MIT-Modern-Variant', 'harfbuzz/harfbuzz'),
  part('libass', '0.15.0', 'ISC', 'libass/libass'),
  part('zimg', 'release-3.0.5', 'WTFPL', 'sekrit-twc/zimg'),
  part('Emscripten', '3.1.40', 'MIT OR NCSA', 'emscripten-core/emscripten'),
]

function part(name: string, version: string, licence: string, repository: string): CorePart {
  return { name, version, licence, source: `https://github.com/${repository}/tree/${version}` }
}

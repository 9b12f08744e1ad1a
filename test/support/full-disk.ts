import type { JournalDisk, JournalFile } from '#metering/refund-journal.ts';

/** An in-memory disk with one file and a capacity in bytes. A write that exceeds the capacity is truncated. */
export class FullDisk implements JournalDisk {
  text = '';
  room = Number.POSITIVE_INFINITY;
  /** Called before each file operation. */
  step: () => Promise<unknown> = async () => {};

  async begin(): Promise<JournalFile> {
    await this.step();
    return {
      appendFile: async (text) => {
        await this.step();
        const fitting = String(text).slice(0, Math.min(this.room, String(text).length));
        this.text += fitting;
        this.room -= fitting.length;
        if (fitting.length < String(text).length)
          throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      },
      datasync: async () => {
        await this.step();
      },
      truncate: async () => {
        await this.step();
        this.text = '';
      },
      close: async () => {},
    };
  }

  async has(): Promise<boolean> {
    await this.step();
    return true;
  }
}

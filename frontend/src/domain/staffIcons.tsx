import { icon } from '@/ui/icons';

/** Icons of staff pages only. */
export const PlusIcon = icon(<path d="M12 5v14M5 12h14" />);
export const UploadIcon = icon(<path d="M12 15.500V4.500M7.500 9 12 4.500 16.500 9M5 19.500h14" />);

/** What only a signed-in person has in the frame, in one file that visitors don't load. */
export { IdleWarning } from '@/domain/session/IdleWarning';
export { AvatarMenu, PersonalNav } from './AvatarMenu';
export { Bell } from './Bell';

CREATE TABLE `identities` (
	`user_id` text NOT NULL,
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `issuer`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `used_id_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `used_id_tokens_expires` ON `used_id_tokens` (`expires_at`);--> statement-breakpoint
ALTER TABLE `release_files` ADD `signature` text;--> statement-breakpoint
ALTER TABLE `users` ADD `password_organization_id` text;--> statement-breakpoint
CREATE INDEX `invites_workspace` ON `invites` (`workspace_id`,`email`);--> statement-breakpoint
CREATE INDEX `invites_email` ON `invites` (`email`);--> statement-breakpoint
CREATE INDEX `schedules_playlist` ON `schedules` (`playlist_id`);--> statement-breakpoint
CREATE INDEX `tokens_workspace` ON `tokens` (`workspace_id`);